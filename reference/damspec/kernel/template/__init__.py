"""Templates of compiled code: ordinary functions in which names in capitals are rules (`specialise`)."""
