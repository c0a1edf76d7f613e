/**
 * The content security policy forbids `eval`, which zod would try for speed. This must run before any schema is
 * created.
 */
import { z } from 'zod'

z.config({ jitless: true })
