use super::message::Message;
use super::{DxpError, MAX_MESSAGE};
use damka_games::Draughts;
use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

/// The maximum amount of unread input, in bytes.
const MOST: usize = 32 * MAX_MESSAGE;

/// The shortest pause between two messages that we send in a row. Some programs, such as pydraughts, read
/// messages that arrive together as one.
const GAP: Duration = Duration::from_millis(200);

/// Messages to and from another program, each terminated by a zero byte.
pub(super) struct Connection<S> {
    /// The variant that is played.
    variant: Draughts,
    stream: S,
    /// Input that has been received but not decoded.
    received: Vec<u8>,
    /// When the last message was sent, if none has been received since.
    sent: Option<Instant>,
}

impl<S: Read + Write> Connection<S> {
    pub(super) fn new(stream: S, variant: Draughts) -> Connection<S> {
        Connection { variant, stream, received: Vec::new(), sent: None }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// The connection fails, or the other program has closed it.
    pub(super) fn send(&mut self, message: &Message) -> Result<(), DxpError> {
        if let Some(sent) = self.sent {
            std::thread::sleep(GAP.saturating_sub(sent.elapsed()));
        }
        let text = message.encode() + "\0";
        self.stream.write_all(text.as_bytes())?;
        self.sent = Some(Instant::now());
        Ok(self.stream.flush()?)
    }

    /// Waits for a message until `deadline`, or longer by at most the read time-out of the stream.
    ///
    /// # Errors
    /// No message has arrived, it is invalid, or the connection fails.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Message, DxpError> {
        loop {
            if Instant::now() >= deadline {
                return Err(DxpError::Silent);
            }
            if let Some(end) = self.received.iter().position(|&byte| byte == 0) {
                self.sent = None;
                let message: Vec<u8> = self.received.drain(..=end).collect();
                if end > MAX_MESSAGE {
                    return Err(DxpError::TooLong);
                }
                return Message::decode(&message[..end], self.variant);
            }
            if self.received.len() > MAX_MESSAGE {
                return Err(DxpError::TooLong);
            }
            self.read()?;
        }
    }

    /// Buffers input that has arrived, and checks that the connection is open.
    ///
    /// # Errors
    /// The connection fails, the other program has closed it, or it has sent too much.
    pub(super) fn listen(&mut self) -> Result<(), DxpError> {
        match self.received.len() > MOST {
            true => Err(DxpError::TooLong),
            false => self.read(),
        }
    }

    /// Buffers input that arrives before the read time-out of the stream.
    fn read(&mut self) -> Result<(), DxpError> {
        let mut buffer = [0; 1024];
        match self.stream.read(&mut buffer) {
            Ok(0) => return Err(DxpError::Closed),
            Ok(read) => self.received.extend_from_slice(&buffer[..read]),
            Err(error) => match error.kind() {
                ErrorKind::Interrupted => {}
                // Avoids busy waiting on a non-blocking stream.
                ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => return Err(error.into()),
            },
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dxp::message::Reason;
    use std::io::{self, Cursor};

    /// Input that arrives in pieces. After the last piece, reads would block: the input does not end.
    struct Pieces(Vec<&'static [u8]>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.is_empty() {
                true => Err(ErrorKind::WouldBlock.into()),
                false => Cursor::new(self.0.remove(0)).read(buffer),
            }
        }
    }

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(20)
    }

    #[test]
    fn messages_arrive_in_pieces_and_together() {
        let mut connection =
            Connection::new(Pieces(vec![b"E", b"0", b"0\0E21\0K", b"1\0M00"]), Draughts::Russian);
        let end = |reason, wants_no_more| Message::GameEnd { reason, wants_no_more };
        assert_eq!(connection.receive(soon()).unwrap(), end(Reason::Unknown, false));
        assert_eq!(connection.receive(soon()).unwrap(), end(Reason::Draw, true));
        assert_eq!(connection.receive(soon()).unwrap(), Message::BackAnswer { code: '1' });
        assert!(matches!(connection.receive(soon()), Err(DxpError::Silent)));
    }

    #[test]
    fn the_length_of_messages_is_limited() {
        let mut connection = Connection::new(Pieces(vec![b"Chat"; 100]), Draughts::Russian);
        assert!(matches!(connection.receive(soon()), Err(DxpError::TooLong)));
        let mut connection = Connection::new(Pieces(vec![b"Chat"; MOST]), Draughts::Russian);
        let end = (0..MOST).find_map(|_| connection.listen().err());
        assert!(matches!(end, Some(DxpError::TooLong)), "{end:?}");
        let mut connection = Connection::new(Pieces(vec![b""]), Draughts::Russian);
        assert!(matches!(connection.receive(soon()), Err(DxpError::Closed)));
    }
}
