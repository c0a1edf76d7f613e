import { together } from './together.ts'

together('small')
