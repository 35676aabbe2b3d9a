/** The worker that reads tables; it stores the files that it fetches. */

import { serve } from '../damka/serve.js';
import { keptFetch } from './keep.js';

serve(globalThis, { fetch: keptFetch });
