// Owns: how a suite reports: to people (dot or spec, `style`) and, in mocha's own JSON form, to the summary (`output`, a file).
"use strict";
const { reporters } = require("mocha");

module.exports = class HouseReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const { style, output } = options.reporterOption ?? options.reporterOptions ?? {};
    const Visible = style === "spec" ? reporters.Spec : reporters.Dot;
    new Visible(runner, options);
    if (output !== undefined) new reporters.JSON(runner, { ...options, reporterOption: { output } });
  }
};
