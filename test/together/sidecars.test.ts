import { together } from './together.ts'

together('sidecars')
