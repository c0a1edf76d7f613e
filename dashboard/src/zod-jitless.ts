/** The content policy forbids `eval`, which zod would try for speed. This must run before any schema is made. */
import { z } from 'zod'

z.config({ jitless: true })
