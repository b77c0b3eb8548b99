<?php

declare(strict_types=1);

require __DIR__ . '/../../sdk/php/src/Stile.php';

$captcha = getenv('CAPTCHA_URL');
$siteKey = getenv('SITE_KEY');

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $stile = new Stile\Stile(secretKey: getenv('STILE_SECRET'), baseUrl: $captcha);
    if (!$stile->verifyRequest()->ok) {
        http_response_code(403);
        exit('Please try again.');
    }
    exit('Welcome, ' . htmlspecialchars($_POST['email']));
}
?>
<!doctype html>
<html lang="en">
  <title>Sign up</title>
  <script src="<?= $captcha ?>/stile.js" async defer></script>
  <form method="post" action="/sign-up">
    <label>Email <input name="email" type="email" required></label>
    <stile-captcha sitekey="<?= $siteKey ?>"></stile-captcha>
    <button>Sign up</button>
  </form>
</html>
