import { together } from './together.ts'

together('sdks')
