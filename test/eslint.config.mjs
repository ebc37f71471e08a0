// Lint rules of the house. Type-aware: a forgotten promise is the bug this project can least afford.
import js from "@eslint/js";
import { fileURLToPath } from "node:url";
import tseslint from "typescript-eslint";

const root = fileURLToPath(new URL("..", import.meta.url));

export default tseslint.config(
  { ignores: ["**/node_modules/**", "dist/**", "out/**", "test/fixtures/**"] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ["src/**/*.ts", "test/**/*.ts"] })),
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: true }],
      "no-restricted-syntax": ["error", { selector: "ExportDefaultDeclaration", message: "No default exports." }],
      "no-console": "error",
      "no-control-regex": "off",
      eqeqeq: "error",
    },
  },
  {
    files: ["src/core/**/*.ts", "src/cli/**/*.ts", "src/shared/**/*.ts"],
    rules: { "no-restricted-imports": ["error", { paths: [{ name: "vscode", message: "The core never imports vscode." }] }] },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-unused-expressions": "off", "no-console": "off" },
  },
  {
    files: ["**/*.mjs", "**/*.cjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly", setTimeout: "readonly", setInterval: "readonly", clearTimeout: "readonly", clearInterval: "readonly", Buffer: "readonly", URLSearchParams: "readonly" } },
  },
);
