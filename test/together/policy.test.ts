import { together } from './together.ts'

together('policy')
