import { together } from './together.ts'

together('people')
