/** `npm run test:long` sets it: every point and every moment instead of a sample. */
export const IS_LONG = process.env['TEST_LONG'] === '1'
