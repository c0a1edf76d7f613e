import { together } from './together.ts'

together('dashboard-work')
