import { together } from './together.ts'

together('mcp')
