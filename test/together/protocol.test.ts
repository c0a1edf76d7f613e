import { together } from './together.ts'

together('protocol')
