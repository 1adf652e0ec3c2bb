#!/bin/sh
# A `meta` agent: counts the files of more than 1 MiB. uwf calls it as `large-files.sh -t <thread> -r <role>`,
# in the thread's directory. The answer stands alone on the standard output; the rest is for people.
find . -name .git -prune -o -type f -size +1024k -print >&2
count=$(find . -name .git -prune -o -type f -size +1024k -print | wc -l)
echo "{\"count\": $count}"
