throw new Error(
  "sandpiper-search has no main entry: import { startSearch } from 'sandpiper-search/testing', or run the command sandpiper",
)
