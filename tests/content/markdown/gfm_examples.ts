/**
 * The inputs of the examples that GFM 0.29 adds to CommonMark, by number. No package contains them.
 * From the GitHub Flavored Markdown Spec, by John MacFarlane and GitHub, licensed CC BY-SA 4.0.
 *
 * @module
 */

export const GFM_EXAMPLES: readonly (readonly [number: number, markdown: string])[] = [
  [198, "| foo | bar |\n| --- | --- |\n| baz | bim |"],
  [199, "| abc | defghi |\n:-: | -----------:\nbar | baz"],
  [200, "| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |"],
  [201, "| abc | def |\n| --- | --- |\n| bar | baz |\n> bar"],
  [202, "| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar"],
  [203, "| abc | def |\n| --- |\n| bar |"],
  [204, "| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |"],
  [205, "| abc | def |\n| --- | --- |"],
  [279, "- [ ] foo\n- [x] bar"],
  [280, "- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim"],
  [491, "~~Hi~~ Hello, ~there~ world!"],
  [492, "This ~~has a\n\nnew paragraph~~."],
  [493, "This will ~~~not~~~ strike."],
  [622, "www.commonmark.org"],
  [623, "Visit www.commonmark.org/help for more information."],
  [624, "Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b."],
  [
    625,
    "www.google.com/search?q=Markup+(business)\n\nwww.google.com/search?q=Markup+(business)))\n\n(www.google.com/search?q=Markup+(business))\n\n(www.google.com/search?q=Markup+(business)",
  ],
  [626, "www.google.com/search?q=(business))+ok"],
  [627, "www.google.com/search?q=commonmark&hl=en\n\nwww.google.com/search?q=commonmark&hl;"],
  [628, "www.commonmark.org/he<lp"],
  [629, "http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))"],
  [630, "foo@bar.baz"],
  [631, "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is."],
  [632, "a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_"],
  [
    633,
    "mailto:foo@bar.baz\n\nmailto:a.b-c_d@a.b\n\nmailto:a.b-c_d@a.b.\n\nmailto:a.b-c_d@a.b/\n\nmailto:a.b-c_d@a.b-\n\nmailto:a.b-c_d@a.b_\n\nxmpp:foo@bar.baz\n\nxmpp:foo@bar.baz.",
  ],
  [634, "xmpp:foo@bar.baz/txt\n\nxmpp:foo@bar.baz/txt@bin\n\nxmpp:foo@bar.baz/txt@bin.com"],
  [635, "xmpp:foo@bar.baz/txt/bin"],
  [
    657,
    "<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> is also disallowed.\n</blockquote>",
  ],
];
