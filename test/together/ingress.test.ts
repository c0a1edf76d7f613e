import { together } from './together.ts'

together('ingress')
