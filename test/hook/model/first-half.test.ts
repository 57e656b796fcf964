import { testSequences } from './test-sequences.ts'

testSequences(0)
