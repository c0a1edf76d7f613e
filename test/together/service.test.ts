import { together } from './together.ts'

together('service')
