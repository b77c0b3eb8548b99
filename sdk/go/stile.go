// Package stile is the server's part of Stile: it redeems the token of a form.
//
//	client, err := stile.New(stile.Options{SecretKey: os.Getenv("STILE_SECRET"), BaseURL: "https://captcha.example.org"})
//	...
//	if !client.VerifyRequest(r, "").OK { ... }
//
// The first call with a token gives OK true, Recommendation "allow" and an empty Reason. The same
// token again gives OK false, "block" and "token_already_used". While the service is down, Reason is
// "unavailable", WasAbleToVerify is false, and OK is what OnUnavailable says.
package stile

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"
)

const (
	// The patience for one attempt; with the retry, an answer takes at most 10 s.
	attemptTime = 5 * time.Second
	// A longer body is refused here, as the service does. It closes the connection of such a call,
	// which would look like an outage that the visitor can cause.
	maxBodyBytes = 16_384
	// The longest JSON form and the longest answer that are read.
	maxReadBytes = 1 << 20
	tokenField   = "stile-response"
)

// Options of New.
type Options struct {
	// SecretKey is the secret key of your site, sk_...
	SecretKey string
	// BaseURL is the address of your Stile service.
	BaseURL string
	// OnUnavailable says whether visitors pass while the service gives no verdict: "accept" or
	// "reject". Empty is "reject".
	OnUnavailable string
	// Hostnames are the hosts of your pages; subdomains count. Nil: every host of the site.
	Hostnames []string
	// MaxScore is the highest score that passes, 0 to 1. Nil: the site's thresholds decide alone.
	MaxScore *float64
}

// Visitor is what your server knows of the visitor. Empty fields are not compared.
type Visitor struct {
	RemoteIP  string
	UserAgent string
	// Action is the name that the page must have given, such as "login".
	Action string
}

// Result is the outcome of a verification.
type Result struct {
	// OK says whether to let the visitor in.
	OK bool
	// Recommendation is "allow", "challenge" (ask for a second step of your own) or "block".
	Recommendation string
	// Reason says why not, as a code for your log; new codes may be added. Empty if the token passed.
	Reason string
	// Verdict is data of the service's answer; nil if it gave none.
	Verdict map[string]any
	// WasAbleToVerify is false if the service gave no verdict.
	WasAbleToVerify bool
}

// Client verifies the tokens of one site. Goroutines may share it.
type Client struct {
	options Options
	url     string
	http    http.Client
}

var (
	secretPattern  = regexp.MustCompile(`^sk_[A-Za-z0-9_-]+$`)
	addressPattern = regexp.MustCompile(`^https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[!-"$->@-z|~]*)?$`)
	hostPattern    = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)
)

// New makes a client. The error names the first wrong option.
func New(options Options) (*Client, error) {
	if !secretPattern.MatchString(options.SecretKey) {
		return nil, wrong("SecretKey", "a text that begins with sk_")
	}
	if !addressPattern.MatchString(options.BaseURL) {
		return nil, wrong("BaseURL", "an address such as https://captcha.example.org")
	}
	if options.OnUnavailable != "" && options.OnUnavailable != "accept" && options.OnUnavailable != "reject" {
		return nil, wrong("OnUnavailable", `"accept" or "reject"`)
	}
	hosts := wrong("Hostnames", `a list of hosts without scheme and port, such as "shop.example"`)
	if options.Hostnames != nil && len(options.Hostnames) == 0 {
		return nil, hosts
	}
	hostnames := make([]string, len(options.Hostnames))
	for i, host := range options.Hostnames {
		if !hostPattern.MatchString(host) {
			return nil, hosts
		}
		hostnames[i] = strings.ToLower(host)
	}
	options.Hostnames = hostnames
	if score := options.MaxScore; score != nil && !(*score >= 0 && *score <= 1) {
		return nil, wrong("MaxScore", "a number from 0 to 1")
	}
	return &Client{
		options: options,
		url:     strings.TrimRight(options.BaseURL, "/") + "/api/v1/token/verify",
		http: http.Client{
			Timeout:       attemptTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

func wrong(name, rule string) error {
	return fmt.Errorf("stile: %s must be %s", name, rule)
}

// VerifyRequest redeems the token of a request: the field stile-response of a urlencoded, multipart or
// JSON body, or the header of that name. Your handler can still read the body. The visitor is
// r.RemoteAddr; behind a proxy, call Verify with the address that the proxy reports.
func (c *Client) VerifyRequest(r *http.Request, action string) Result {
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}
	return c.Verify(findToken(r), Visitor{RemoteIP: address, UserAgent: r.UserAgent(), Action: action})
}

// Verify redeems a token. It takes no context: a visitor who hangs up would cancel the call, which
// would look like an outage.
func (c *Client) Verify(token string, visitor Visitor) Result {
	if strings.TrimSpace(token) == "" {
		return refuse("missing_token", nil)
	}
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		return c.unavailable()
	}
	body, err := json.Marshal(map[string]string{
		"token":           token,
		"remoteip":        visitor.RemoteIP,
		"user_agent":      visitor.UserAgent,
		"idempotency_key": hex.EncodeToString(key),
	})
	if err != nil || len(body) > maxBodyBytes {
		return refuse("invalid_signature", nil)
	}
	status, text := c.ask(body)
	var answer struct {
		Data       map[string]any `json:"data"`
		ReasonCode string         `json:"reasonCode"`
		Error      struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	// Without JSON, the fields stay empty.
	_ = json.Unmarshal(text, &answer)
	reason := answer.ReasonCode
	if reason == "" {
		reason = answer.Error.Code
	}
	if reason == "" {
		reason = fmt.Sprint("http_", status)
	}
	if status >= 400 && status < 500 {
		return refuse(reason, answer.Data)
	}
	if status != http.StatusOK || answer.Data == nil {
		return c.unavailable()
	}
	if answer.Data["verified"] != true {
		return refuse(reason, answer.Data)
	}
	return c.compareVerdict(answer.Data, visitor.Action)
}

// Compares a passed verdict with the options.
func (c *Client) compareVerdict(verdict map[string]any, action string) Result {
	if !c.isOurs(verdict["hostname"]) {
		return refuse("hostname_mismatch", verdict)
	}
	if action != "" && verdict["action"] != action {
		return refuse("action_mismatch", verdict)
	}
	if limit := c.options.MaxScore; limit != nil {
		if score, isNumber := verdict["score"].(float64); !isNumber || score > *limit {
			return refuse("score_too_high", verdict)
		}
	}
	switch verdict["recommendation"] {
	case "allow":
		return Result{true, "allow", "", verdict, true}
	case "challenge":
		return Result{false, "challenge", "recommendation_challenge", verdict, true}
	default:
		return refuse("recommendation_block", verdict)
	}
}

func (c *Client) isOurs(hostname any) bool {
	name, isText := hostname.(string)
	for _, ours := range c.options.Hostnames {
		if isText && strings.HasSuffix("."+name, "."+ours) {
			return true
		}
	}
	return len(c.options.Hostnames) == 0
}

// Sends the call, and once more after a connection error, a time-out or a 5xx. The status is 0
// without an answer.
func (c *Client) ask(body []byte) (int, []byte) {
	for i := 0; i < 2; i++ {
		status, text, err := c.attempt(body)
		if err == nil && status < 500 {
			return status, text
		}
	}
	return 0, nil
}

func (c *Client) attempt(body []byte) (int, []byte, error) {
	call, err := http.NewRequest(http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	call.Header.Set("Authorization", "Bearer "+c.options.SecretKey)
	call.Header.Set("Content-Type", "application/json")
	answer, err := c.http.Do(call)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxReadBytes))
	return answer.StatusCode, text, err
}

func (c *Client) unavailable() Result {
	if c.options.OnUnavailable == "accept" {
		return Result{true, "allow", "unavailable", nil, false}
	}
	return Result{false, "block", "unavailable", nil, false}
}

func refuse(reason string, verdict map[string]any) Result {
	return Result{false, "block", reason, verdict, true}
}

func findToken(r *http.Request) string {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" {
		if token := findInJSON(r); token != "" {
			return token
		}
	} else if r.ParseMultipartForm(maxReadBytes); r.PostForm.Get(tokenField) != "" {
		return r.PostForm.Get(tokenField)
	}
	return r.Header.Get(tokenField)
}

// Reads the first MiB of a JSON body for its token, and puts it back.
func findInJSON(r *http.Request) string {
	body := r.Body
	if body == nil {
		return ""
	}
	// What is broken or longer is no JSON, so it has no token.
	read, _ := io.ReadAll(io.LimitReader(body, maxReadBytes))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(read), body), body}
	var fields map[string]json.RawMessage
	var token string
	if json.Unmarshal(read, &fields) == nil {
		_ = json.Unmarshal(fields[tokenField], &token)
	}
	return token
}
