import { total } from "../src/cart.js"

if (total([]) !== 0) throw new Error("total")
