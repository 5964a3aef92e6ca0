//! A source in segments, as the threads of the program convert it.
