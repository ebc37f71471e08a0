// Owns: what the shell asks of the core, as one narrow port with the real functions behind it.
// Leaves to others: everything the core decides.
