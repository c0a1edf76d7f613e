import { together } from './together.ts'

together('sensor')
