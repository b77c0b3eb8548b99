import { NO_VERDICT, SECOND_STEP, type ServerTerms, type Snippet } from "./snippet.ts";

/** The sample for PHP 8. */
export function phpSnippet(terms: ServerTerms): Snippet {
  const secondStep = `// ${SECOND_STEP}
function second_step(): never {
    http_response_code(403);
    exit('Please try again.');
}

`;
  const code = `<?php
// PHP 8 with the extension curl (Debian: php-curl)
const HOSTS = ${terms.hosts}; // where your pages are

// Returns a recommendation (allow, challenge or block) and its reason. A refused token is always
// 'block'. Throws if Stile gives no verdict: a 5xx, or no answer in 10 s. You decide what happens
// then.
function check_token(mixed $token, string $remoteip, string $userAgent): array {
    $call = curl_init('${terms.baseUrl}/api/v1/token/verify');
    $fields = ['token' => $token, 'remoteip' => $remoteip, 'user_agent' => $userAgent];
    curl_setopt_array($call, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('STILE_SECRET'), 'Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode($fields, JSON_INVALID_UTF8_SUBSTITUTE),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 10,
    ]);
    $body = curl_exec($call);
    if ($body === false) throw new RuntimeException('Stile did not answer: ' . curl_error($call));
    $status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
    if ($status >= 500) throw new RuntimeException("Stile answered $status");
    $data = $status === 200 ? json_decode($body, true)['data'] ?? [] : [];
    if (($data['verified'] ?? false) !== true) return ['block', $data['reasonCode'] ?? "Stile answered $status"];
    foreach (HOSTS as $host)
        if (str_ends_with('.' . $data['hostname'], '.' . $host)) return [$data['recommendation'], 'score ' . $data['score']];
    return ['block', 'solved on ' . $data['hostname'] . ', not on ' . implode(' or ', HOSTS)];
}

${terms.isAsked ? "" : secondStep}// REMOTE_ADDR is the visitor. Behind a proxy it is the proxy, until nginx (set_real_ip_from) or Apache (mod_remoteip) is set up.
$agent = $_SERVER['HTTP_USER_AGENT'] ?? '';
try {
    [$recommendation, $reason] = check_token($_POST['stile-response'] ?? null, $_SERVER['REMOTE_ADDR'], $agent);
} catch (RuntimeException $error) {
    // ${NO_VERDICT} 'allow' would accept every form.
    [$recommendation, $reason] = ['block', $error->getMessage()];
}
${terms.isAsked ? "" : "if ($recommendation === 'challenge') second_step();\n"}if ($recommendation !== 'allow') {
    error_log("Refused: $reason");
    http_response_code(403);
    exit('Please try again.');
}
// the form may be trusted here`;
  return { id: "php", label: "PHP", language: "php", code };
}
