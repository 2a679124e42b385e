/** One provider's token. `pattern` begins with text that hardly anything else begins with, and never matches over 4 KiB. */
export interface TokenShape {
  readonly name: string;
  readonly pattern: string;
}

/**
 * Shapes as their providers publish them, with the lengths that tell them from words and from base64. A JSON Web Token
 * stands for tickets and preview tokens; its first part is a JSON object with `alg`, `typ` or `kid` first, and its second
 * is not the example of every tutorial (subject 1234567890, named John Doe).
 */
export const tokenShapes: readonly TokenShape[] = [
  { name: "npm token", pattern: "npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])" },
  { name: "GitHub token", pattern: "gh[pousr]_[A-Za-z0-9]{36,255}(?![A-Za-z0-9_])" },
  {
    name: "GitHub fine-grained token",
    pattern: "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9_])",
  },
  { name: "GitLab token", pattern: "gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_-]{20,255}" },
  { name: "Anthropic key", pattern: "sk-ant-[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_-]{32,255}" },
  {
    name: "OpenAI key",
    pattern: "sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,128}T3BlbkFJ[A-Za-z0-9_-]{20,128}",
  },
  { name: "OpenAI key", pattern: "sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}(?![A-Za-z0-9])" },
  {
    name: "secret key",
    pattern: "sk-(?:[a-z]{2,8}-(?:v1-)?)?(?=[A-Za-z]{0,63}[0-9])[A-Za-z0-9]{40,128}(?![A-Za-z0-9_-])",
  },
  { name: "AWS access key", pattern: "(?<![+/])A(?:KIA|SIA)[A-Z2-7]{16}(?![A-Za-z0-9+/=_-])" },
  { name: "Slack token", pattern: "xox[abeoprs]-[0-9]{6,16}-[A-Za-z0-9-]{16,255}" },
  { name: "Google API key", pattern: "AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])" },
  { name: "Hugging Face token", pattern: "hf_[A-Za-z]{34}(?![A-Za-z0-9_])" },
  { name: "xAI key", pattern: "xai-[A-Za-z0-9]{60,128}(?![A-Za-z0-9_-])" },
  { name: "Stripe key", pattern: "[rs]k_live_[A-Za-z0-9]{24,128}(?![A-Za-z0-9_])" },
  { name: "E2B key", pattern: "e2b_[0-9a-f]{40}(?![A-Za-z0-9_])" },
  { name: "Daytona key", pattern: "dtn_[0-9a-f]{64}(?![A-Za-z0-9_])" },
  {
    name: "JSON Web Token",
    pattern:
      "eyJ(?:hbGci|0eXAi|raWQi)[A-Za-z0-9_-]{8,1000}\\.(?!eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l)" +
      "eyJ[A-Za-z0-9_-]{8,2000}\\.[A-Za-z0-9_-]{40,800}",
  },
];
