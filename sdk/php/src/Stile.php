<?php

declare(strict_types=1);

namespace Stile;

/**
 * The server's part of Stile: redeems the token of a form.
 *
 *     $stile = new Stile(secretKey: getenv('STILE_SECRET'), baseUrl: 'https://captcha.example.org');
 *     if (!$stile->verifyRequest()->ok) { ... }
 *
 * The first call with a token gives ok true, recommendation "allow" and reason null. The same token
 * again gives ok false, "block" and "token_already_used". While the service is down, the reason is
 * "unavailable", wasAbleToVerify is false, and ok is what onUnavailable says.
 */
final class Stile
{
    /** The patience for one attempt; with the retry, an answer takes at most 10 s. */
    private const ATTEMPT_MS = 5_000;
    /**
     * A longer body is refused here, as the service does. It closes the connection of such a call, which
     * would look like an outage that the visitor can cause.
     */
    private const MAX_BODY_BYTES = 16_384;
    /** The longest JSON of a visitor that is read, in bytes. */
    private const MAX_JSON_BYTES = 1_048_576;

    private readonly string $secretKey;
    private readonly string $url;
    /** @var list<string>|null */
    private readonly ?array $hostnames;

    /**
     * @param string|null $secretKey The secret key of your site, `sk_...`.
     * @param string|null $baseUrl The address of your Stile service.
     * @param string $onUnavailable Whether visitors pass while the service gives no verdict: "accept" or "reject".
     * @param list<string>|null $hostnames The hosts of your pages; subdomains count. Null: every host of the site.
     * @param float|null $maxScore The highest score that passes, 0 to 1. Null: the site's thresholds decide alone.
     * @throws \InvalidArgumentException naming the first wrong option
     */
    public function __construct(
        #[\SensitiveParameter] ?string $secretKey = null,
        ?string $baseUrl = null,
        private readonly string $onUnavailable = 'reject',
        ?array $hostnames = null,
        private readonly ?float $maxScore = null,
    ) {
        self::need(preg_match('/^sk_[A-Za-z0-9_-]+$/D', $secretKey ?? '') === 1, 'secretKey', 'a text that begins with sk_');
        $address = '{^https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[!-"$->@-z|~]*)?$}D';
        self::need(preg_match($address, $baseUrl ?? '') === 1, 'baseUrl', 'an address such as https://captcha.example.org');
        self::need(in_array($onUnavailable, ['accept', 'reject'], true), 'onUnavailable', '"accept" or "reject"');
        $isHost = fn (mixed $host): bool => is_string($host) && preg_match('/^[A-Za-z0-9_][A-Za-z0-9._-]*$/D', $host) === 1;
        self::need(
            $hostnames === null || ($hostnames !== [] && array_filter($hostnames, $isHost) === $hostnames),
            'hostnames',
            'a list of hosts without scheme and port, such as ["shop.example"]',
        );
        self::need($maxScore === null || ($maxScore >= 0 && $maxScore <= 1), 'maxScore', 'a number from 0 to 1');
        $this->secretKey = $secretKey;
        $this->url = rtrim($baseUrl, '/') . '/api/v1/token/verify';
        $this->hostnames = $hostnames === null ? null : array_map(strtolower(...), $hostnames);
    }

    /**
     * Redeems the token of the current request: the field `stile-response` of a form or of JSON, or the
     * header of that name. The visitor is REMOTE_ADDR; behind a proxy, set up real_ip (nginx) or
     * mod_remoteip (Apache).
     */
    public function verifyRequest(?string $action = null): Verification
    {
        return $this->verify(
            self::findField() ?: ($_SERVER['HTTP_STILE_RESPONSE'] ?? null),
            remoteIp: $_SERVER['REMOTE_ADDR'] ?? null,
            userAgent: $_SERVER['HTTP_USER_AGENT'] ?? null,
            action: $action,
        );
    }

    /** Redeems a token. Never throws for anything that a visitor can cause. */
    public function verify(mixed $token, ?string $remoteIp = null, ?string $userAgent = null, ?string $action = null): Verification
    {
        if (!is_string($token) || trim($token) === '') return self::refuse('missing_token');
        $fields = ['token' => $token, 'remoteip' => $remoteIp, 'user_agent' => $userAgent];
        $body = json_encode(
            [...$fields, 'idempotency_key' => bin2hex(random_bytes(16))],
            JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR,
        );
        if (strlen($body) > self::MAX_BODY_BYTES) return self::refuse('invalid_signature');
        [$status, $text] = $this->ask($body);
        $answer = json_decode($text);
        $data = $answer->data ?? null;
        $verdict = $data instanceof \stdClass ? (array) $data : null;
        if ($status >= 400 && $status < 500) return self::refuse(self::reasonOf($answer, $status), $verdict);
        if ($status !== 200 || $verdict === null) return $this->unavailable();
        if (($verdict['verified'] ?? null) !== true) return self::refuse(self::reasonOf($answer, $status), $verdict);
        return $this->compareVerdict($verdict, $action);
    }

    /** The field of the current request: PHP itself parses forms, but no JSON. */
    private static function findField(): mixed
    {
        $isJson = preg_match('{^application/json\b}i', $_SERVER['CONTENT_TYPE'] ?? '') === 1;
        if (!$isJson) return $_POST['stile-response'] ?? null;
        // A longer text is cut, so it is no JSON any more.
        $text = file_get_contents('php://input', length: self::MAX_JSON_BYTES);
        $fields = json_decode((string) $text, true);
        return is_array($fields) ? $fields['stile-response'] ?? null : null;
    }

    /** Compares a passed verdict with the options. */
    private function compareVerdict(array $verdict, ?string $action): Verification
    {
        if (!$this->isOurs($verdict['hostname'] ?? null)) return self::refuse('hostname_mismatch', $verdict);
        if ($action !== null && ($verdict['action'] ?? null) !== $action) return self::refuse('action_mismatch', $verdict);
        $score = $verdict['score'] ?? null;
        $isNumber = is_int($score) || is_float($score);
        if ($this->maxScore !== null && !($isNumber && $score <= $this->maxScore)) {
            return self::refuse('score_too_high', $verdict);
        }
        return match ($verdict['recommendation'] ?? null) {
            'allow' => new Verification(true, 'allow', null, $verdict, true),
            'challenge' => new Verification(false, 'challenge', 'recommendation_challenge', $verdict, true),
            default => self::refuse('recommendation_block', $verdict),
        };
    }

    private function isOurs(mixed $hostname): bool
    {
        if ($this->hostnames === null) return true;
        foreach ($this->hostnames as $ours) {
            if (is_string($hostname) && str_ends_with(".$hostname", ".$ours")) return true;
        }
        return false;
    }

    /**
     * Sends the call, and once more after a connection error, a time-out or a 5xx.
     *
     * @return array{int, string} status and body; status 0 without an answer
     */
    private function ask(string $body): array
    {
        for ($attempt = 1; $attempt <= 2; $attempt++) {
            $call = curl_init($this->url);
            curl_setopt_array($call, [
                CURLOPT_HTTPHEADER => ["Authorization: Bearer $this->secretKey", 'Content-Type: application/json'],
                CURLOPT_POSTFIELDS => $body,
                CURLOPT_RETURNTRANSFER => true,
                CURLOPT_FOLLOWLOCATION => false,
                CURLOPT_TIMEOUT_MS => self::ATTEMPT_MS,
                CURLOPT_NOSIGNAL => true,
            ]);
            $text = curl_exec($call);
            $status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
            if (is_string($text) && $status < 500) return [$status, $text];
        }
        return [0, ''];
    }

    /** The service's own reason for a refusal. */
    private static function reasonOf(mixed $answer, int $status): string
    {
        $code = $answer->reasonCode ?? $answer->error->code ?? null;
        return is_string($code) ? $code : "http_$status";
    }

    private function unavailable(): Verification
    {
        $ok = $this->onUnavailable === 'accept';
        return new Verification($ok, $ok ? 'allow' : 'block', 'unavailable', null, false);
    }

    private static function refuse(string $reason, ?array $verdict = null): Verification
    {
        return new Verification(false, 'block', $reason, $verdict, true);
    }

    private static function need(bool $isRight, string $name, string $rule): void
    {
        if (!$isRight) throw new \InvalidArgumentException("Stile: $name must be $rule.");
    }
}

/** The outcome of a verification. An object is always true in PHP: ask for `ok`. */
final class Verification
{
    /**
     * @param bool $ok Whether to let the visitor in.
     * @param string $recommendation "allow", "challenge" (ask for a second step of your own) or "block".
     * @param string|null $reason Why not, as a code for your log; new codes may be added. Null if the token passed.
     * @param array<string, mixed>|null $verdict `data` of the service's answer; null if it gave none.
     * @param bool $wasAbleToVerify False if the service gave no verdict.
     */
    public function __construct(
        public readonly bool $ok,
        public readonly string $recommendation,
        public readonly ?string $reason,
        public readonly ?array $verdict,
        public readonly bool $wasAbleToVerify,
    ) {
    }
}
