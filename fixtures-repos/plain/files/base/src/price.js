export function price(item) {
  return item.cents * item.count
}
