#!/bin/sh
node src/cart.js
