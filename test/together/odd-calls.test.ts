import { together } from './together.ts'

together('odd-calls')
