/** `2026-01-02 03:04 UTC` of a time in ISO 8601. */
export const minuteOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
