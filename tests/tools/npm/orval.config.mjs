const { DOCUMENT, OUTPUT } = process.env;

export default {
  recto: {
    input: DOCUMENT,
    output: { target: `${OUTPUT}/api.ts`, client: "fetch", baseUrl: "http://127.0.0.1:8000" },
  },
};
