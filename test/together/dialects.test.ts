import { together } from './together.ts'

together('dialects')
