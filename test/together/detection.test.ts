import { together } from './together.ts'

together('detection')
