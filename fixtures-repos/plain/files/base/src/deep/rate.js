export const RATE = 7
