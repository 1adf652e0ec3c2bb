#!/bin/sh
# A `text` agent: reads what it is told on its standard input, and answers text that begins with its output.
lines=$(wc -l)
printf -- '---\nsummary: I was told %s lines.\n---\n\nThere is nothing else to say.\n' "$lines"
