/** What the disk says of a file that may hold the findings of a review. */
export type OutputReading = UnreadOutput | { readonly kind: 'text'; readonly text: string }

export type UnreadOutput =
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Not modified since the load. */
  | { readonly kind: 'unchanged' }
