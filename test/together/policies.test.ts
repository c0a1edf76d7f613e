import { together } from './together.ts'

together('policies')
