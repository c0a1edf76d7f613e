import { together } from './together.ts'

together('events')
