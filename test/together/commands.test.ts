import { together } from './together.ts'

together('commands')
