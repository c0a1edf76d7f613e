import { together } from './together.ts'

together('observed')
