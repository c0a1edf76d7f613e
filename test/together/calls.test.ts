import { together } from './together.ts'

together('calls')
