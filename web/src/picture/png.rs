//! Pictures as PNG.

use super::{Picture, PictureError};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// The picture as a PNG file.
///
/// # Errors
/// As for [`Picture::svg`], or there is not enough memory for the pixels.
pub fn png(picture: &Picture) -> Result<Vec<u8>, PictureError> {
    let failed = |error: &dyn std::fmt::Display| PictureError::Pixels(error.to_string());
    let tree = Tree::from_str(&picture.svg()?, &Options::default()).map_err(|e| failed(&e))?;
    let mut pixels = Pixmap::new(picture.size, picture.size)
        .ok_or_else(|| failed(&"it has no pixels, or too many"))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| failed(&e))
}
