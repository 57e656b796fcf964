import { price } from "./price.js"

export function total(items) {
  return items.reduce((sum, item) => sum + price(item), 0)
}
