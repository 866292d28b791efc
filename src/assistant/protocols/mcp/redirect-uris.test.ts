import { describe, expect, it } from "vitest";
import { mayRedirectTo } from "./redirect-uris.ts";

const listed = ["https://claude.example/api/callback", "editor://sign-in/done"];

describe("an answer to a sign-in may be sent", () => {
  it.each([
    "http://127.0.0.1:33418/callback",
    "http://127.0.0.1/",
    "http://127.0.0.1",
    "http://localhost:1/a/b?c=d",
    "http://[::1]:8080/callback",
    "http://localhost:80/x",
    ...listed,
  ])("to %s", (uri) => expect(mayRedirectTo(uri, listed)).toBe(true));

  it.each([
    "https://127.0.0.1/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://localhost.evil.example/",
    "http://evil.example/",
    "http://evil.example/?http://127.0.0.1/",
    "http://user@127.0.0.1/",
    "http://127.0.0.1@evil.example/",
    "http://127.0.0.1:1@evil.example/",
    "http://127.0.0.1:99999/",
    "http://127.1/callback",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0.0.0.0/",
    "http://LOCALHOST/",
    "http://localhost\\@evil.example/",
    "http://localhost/#fragment",
    "http://localhost/ space",
    "http://localhost/\nx",
    "http:/localhost/",
    "http://",
    "javascript:alert(1)",
    "editor://sign-in/done/more",
    "https://claude.example/api/callback?x=y",
    "https://claude.example/api/callback/",
    "",
  ])("not to %j", (uri) => expect(mayRedirectTo(uri, listed)).toBe(false));
});
