import java.util.ArrayList;
import java.util.List;

/** A search tree that forgets a child when a node with two children goes. */
public class SearchTree {
    private static final class Node {
        final int key;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }
    }

    private Node root;
    private int size;

    boolean add(int key) {
        if (root == null) {
            root = new Node(key);
            size++;
            return true;
        }
        Node at = root;
        while (true) {
            if (key == at.key) {
                return false;
            }
            Node next = key < at.key ? at.left : at.right;
            if (next == null) {
                if (key < at.key) {
                    at.left = new Node(key);
                } else {
                    at.right = new Node(key);
                }
                size++;
                return true;
            }
            at = next;
        }
    }

    void remove(int key) {
        root = removed(root, key);
    }

    private Node removed(Node node, int key) {
        if (node == null) {
            return null;
        }
        if (key < node.key) {
            node.left = removed(node.left, key);
            return node;
        }
        if (key > node.key) {
            node.right = removed(node.right, key);
            return node;
        }
        size--;
        if (node.left == null) {
            return node.right;
        }
        if (node.right == null) {
            return node.left;
        }
        Node least = node.right;
        while (least.left != null) {
            least = least.left;
        }
        Node result = new Node(least.key);
        result.left = node.left;
        result.right = node.right == least ? null : removedLeast(node.right);
        return result;
    }

    private Node removedLeast(Node node) {
        if (node.left == null) {
            return node.right;
        }
        node.left = removedLeast(node.left);
        return node;
    }

    List<Integer> keys() {
        List<Integer> keys = new ArrayList<>();
        collect(root, keys);
        return keys;
    }

    private void collect(Node node, List<Integer> keys) {
        if (node != null) {
            collect(node.left, keys);
            keys.add(node.key);
            collect(node.right, keys);
        }
    }

    static int use(int[] added, int removed) {
        SearchTree tree = new SearchTree();
        if (added == null) {
            return 0;
        }
        for (int key : added) {
            tree.add(key);
        }
        tree.remove(removed);
        List<Integer> keys = tree.keys();
        assert keys.size() == tree.size : "a key is lost";
        return keys.size();
    }
}
