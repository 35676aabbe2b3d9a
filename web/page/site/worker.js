/** The worker that reads tables: what it fetches is kept. */

import { serve } from '../damka/serve.js';
import { keptFetch } from './keep.js';

serve(globalThis, { fetch: keptFetch });
