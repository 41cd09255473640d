/** The libraries that are there without `require`. */
