# The first process of a container in which nothing runs by itself: reaps what others leave, and ends when it is told to.
trap 'exit 0' TERM INT
IFS= read -r -N 1 <> <(:) &
wait $!
