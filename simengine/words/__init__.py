"""Words that every sentence is made with."""
