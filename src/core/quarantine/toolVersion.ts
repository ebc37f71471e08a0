// Owns: the version that records name as their writer; a test keeps it equal to package.json.
// Leaves to others: everything else. A constant, because importing package.json would put all of it into every bundle.

export const toolVersion = "0.1.0";
